import { couldBeWritten } from "../shared/server/make-folder.ts";
import { createKnowledgeAgent } from "./agents/knowledge.ts";
import { ConfigError, type Environment, type Problem, parseConfig } from "./config.ts";

type ReadFile = (path: string) => string;

/**
 * Everything that stands in the way of a start and can be known without changing anything, so that an operator needs one
 * start to read all of it: the variables, and the folders that they name. A fault of a folder that stands alone is left
 * to the start, which finds it at once: nobody waits for articles to be read twice.
 *
 * @param others whether the process around this one has found a fault already
 */
export async function findStartFaults(
  env: Environment,
  readFile: ReadFile,
  others = false,
): Promise<readonly Problem[]> {
  const problems = [...problemsOf(env, readFile)];
  const dataDir = env["DATA_DIR"]?.trim() || "./data";
  const badFolder = !couldBeWritten(dataDir);
  if (others || badFolder || problems.length > 0) problems.push(...(await knowledgeProblems(env)));
  if (badFolder && (others || problems.length > 0)) {
    problems.push({ name: "DATA_DIR", fault: `(${dataDir}) can't be written.`, example: "./data" });
  }
  return problems;
}

function problemsOf(env: Environment, readFile: ReadFile): readonly Problem[] {
  try {
    parseConfig(env, readFile);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

async function knowledgeProblems(env: Environment): Promise<readonly Problem[]> {
  const directory = env["KNOWLEDGE_DIR"]?.trim();
  if (!directory) return [];
  return createKnowledgeAgent({ directory }).then(
    () => [],
    (error: unknown) => [
      {
        name: "KNOWLEDGE_DIR",
        fault: `is refused: ${error instanceof Error ? error.message : "it can't be read."}`,
        example: "/srv/articles",
      },
    ],
  );
}
