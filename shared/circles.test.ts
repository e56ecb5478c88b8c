import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type Import, isTest, readImports } from "./testing/imports.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(imports: readonly Import[], nodeOf: (file: string) => string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file), nodeOf(target)];
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** Returns one cycle of the graph as `a -> b -> a`, if there is one. */
function circleIn(graph: Graph): string | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(" -> ");
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node);
    if (circle) return circle;
  }
  return undefined;
}

/**
 * A folder without subfolders counts as one node. A file next to subfolders counts separately, because such files are
 * either shared by all subfolders or compose them.
 */
function folderIn(files: readonly string[]): (file: string) => string {
  const parents = new Set(files.map((file) => dirname(dirname(file))));
  return (file) => (parents.has(dirname(file)) ? file : dirname(file));
}

const imports = readImports().filter(({ file, target }) => !isTest(file) && !isTest(target));

describe("import cycles, including type imports", () => {
  it("no file imports itself through others", () => {
    expect(imports.length).toBeGreaterThan(1000);
    expect(circleIn(graphOf(imports, (file) => file))).toBeUndefined();
  });

  it("no folder imports itself through others, so each imports only from below", () => {
    const files = imports.flatMap(({ file, target }) => [file, target]);
    expect(circleIn(graphOf(imports, folderIn(files)))).toBeUndefined();
  });

  it("a cycle of files or of folders is found (control)", () => {
    const back = { file: "bff/gate/a.ts", target: "bff/routes/b.ts" };
    const forth = { file: "bff/routes/c.ts", target: "bff/gate/d.ts" };
    expect(circleIn(graphOf([back, forth], (file) => file))).toBeUndefined();
    const files = ["bff/app.ts", ...[back, forth].flatMap(({ file, target }) => [file, target])];
    expect(circleIn(graphOf([back, forth], folderIn(files)))).toBe("bff/gate -> bff/routes -> bff/gate");
  });
});
