/** Reads a list to its end, page after page, for commands that print the whole of it. */

interface Page<Item, Position> {
  readonly data: readonly Item[];
  readonly next: Position | null;
}

export async function allPages<Item, Position>(
  first: Position,
  load: (after: Position) => Promise<Page<Item, Position>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: Position | null = first; after !== null;) {
    const page: Page<Item, Position> = await load(after);
    items.push(...page.data);
    after = page.next;
  }
  return items;
}
