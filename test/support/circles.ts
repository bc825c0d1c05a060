/** Finds the circles of a graph: for each group of nodes that reach each other, at least one way round. */

/** Each circle as the nodes on its way, the first one repeated at the end. Empty when the graph has none. */
export function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const way: string[] = [];

  function walk(node: string): void {
    const met = way.indexOf(node);
    if (met !== -1) return void circles.push([...way.slice(met), node]);
    if (finished.has(node)) return;
    way.push(node);
    for (const next of edges.get(node) ?? []) walk(next);
    way.pop();
    finished.add(node);
  }

  for (const node of edges.keys()) walk(node);
  return circles;
}
