import { ConfigError, type Environment, type Fault, type ReadFile } from "../shared/server/environment.ts";
import { couldBeWritten } from "../shared/server/make-folder.ts";
import { createKnowledgeAgent } from "./agents/knowledge.ts";
import { parseConfig } from "./config.ts";

/**
 * Finds everything that stands in the way of a start and can be known without changing anything, so that one start tells
 * an operator all of it: the variables, and the folders that they name. A folder's problem that stands by itself is left
 * to the start, which finds it at once: reading the articles twice would cost time.
 *
 * @param others whether the surrounding process has already found a problem
 */
export async function findStartFaults(
  env: Environment,
  readFile: ReadFile,
  others = false,
): Promise<readonly Fault[]> {
  const faults = [...faultsOf(env, readFile)];
  const dataDir = env["DATA_DIR"]?.trim() || "./data";
  const isBadFolder = !couldBeWritten(dataDir);
  if (others || isBadFolder || faults.length > 0) faults.push(...(await knowledgeFaults(env)));
  if (isBadFolder && (others || faults.length > 0)) {
    faults.push({ name: "DATA_DIR", fault: `(${dataDir}) can't be written.`, example: "DATA_DIR=./data" });
  }
  return faults;
}

function faultsOf(env: Environment, readFile: ReadFile): readonly Fault[] {
  try {
    parseConfig(env, readFile);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

async function knowledgeFaults(env: Environment): Promise<readonly Fault[]> {
  const directory = env["KNOWLEDGE_DIR"]?.trim();
  if (!directory) return [];
  return createKnowledgeAgent({ directory }).then(
    () => [],
    (error: unknown) => [
      {
        name: "KNOWLEDGE_DIR",
        fault: `is refused: ${error instanceof Error ? error.message : "it can't be read."}`,
        example: "KNOWLEDGE_DIR=/srv/articles",
      },
    ],
  );
}
