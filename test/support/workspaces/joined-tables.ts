/** Reads off the syntax tree of a statement, as PostgreSQL's own parser makes it, how the tables in it are joined. */
import { parseSync } from "libpg-query";
import { Links } from "./links.ts";
import type { JoinedTable } from "./links.ts";
import { link, parameter, renamed, tableItem, union, unknownValue } from "./values.ts";
import type { Columns, Item, Value } from "./values.ts";

/** A node of the tree: an object of one member, which its type names. */
// oxlint-disable-next-line typescript/no-explicit-any -- of the hundreds of types a dozen matters here
type Tree = any;

interface Scope {
  readonly items: Item[];
  readonly outer: Scope | undefined;
  /** What WITH names: each use reads its tables anew. */
  readonly queries: Map<string, () => Columns>;
}

export function joinedTablesOf(text: string): JoinedTable[] {
  const reader = new StatementReader();
  for (const { stmt } of parseSync(text).stmts ?? []) reader.read(stmt, undefined);
  return reader.links.tables();
}

class StatementReader {
  readonly links = new Links();

  /** The columns that it returns. */
  read(tree: Tree, outer: Scope | undefined): Columns {
    const [kind, body] = split(tree);
    if (kind === "SelectStmt") return this.#select(body, outer);
    const scope = this.#open(body.withClause, outer);
    if (kind === "InsertStmt") this.#insert(body, scope);
    else if (kind === "UpdateStmt" || kind === "DeleteStmt") {
      this.#from({ RangeVar: body.relation }, scope);
      for (const item of body.fromClause ?? body.usingClause ?? []) this.#from(item, scope);
      this.#hold(body.whereClause, scope);
      this.#visit(body.targetList, scope);
    } else return new Map();
    return this.#targets(body.returningClause?.exprs ?? body.returningList, scope);
  }

  #open(withClause: Tree, outer: Scope | undefined): Scope {
    const scope: Scope = { items: [], outer, queries: new Map(outer?.queries) };
    for (const { CommonTableExpr: named } of withClause?.ctes ?? []) {
      const { ctename: name, ctequery: query, aliascolnames = [] } = named;
      const within: Scope = { items: [], outer, queries: new Map(scope.queries) };
      const read = () => renamed(this.read(query, within), namesOf(aliascolnames));
      if (query.SelectStmt === undefined) {
        // Rows are changed once, whatever uses them.
        const returned = read();
        scope.queries.set(name, () => returned);
      } else if (withClause.recursive === true && query.SelectStmt.larg !== undefined) {
        scope.queries.set(name, () => this.#recursive(name, query.SelectStmt, namesOf(aliascolnames), within));
      } else scope.queries.set(name, read);
    }
    return scope;
  }

  #recursive(name: string, { larg, rarg }: Tree, names: readonly string[], within: Scope): Columns {
    const first = renamed(this.#select(larg, within), names);
    const queries = new Map(within.queries).set(name, () => first);
    return union(first, this.#select(rarg, { ...within, queries }));
  }

  #select(body: Tree, outer: Scope | undefined): Columns {
    const scope = this.#open(body.withClause, outer);
    if (body.larg !== undefined) return union(this.#select(body.larg, scope), this.#select(body.rarg, scope));
    for (const item of body.fromClause ?? []) this.#from(item, scope);
    this.#hold(body.whereClause, scope);
    this.#visit([body.groupClause, body.havingClause, body.sortClause, body.limitCount], scope);
    return body.valuesLists === undefined ? this.#targets(body.targetList, scope) : this.#rows(body.valuesLists, scope);
  }

  #insert({ relation, selectStmt, onConflictClause }: Tree, scope: Scope): void {
    // A new row is given, and with it the one that it conflicts with.
    for (const name of [relation.relname, "excluded"]) {
      const item = tableItem(this.links, relation.relname, name);
      if (item.place > 0) this.links.add({ from: [0], to: item.place });
      scope.items.push(item);
    }
    if (selectStmt !== undefined) this.read(selectStmt, { ...scope, items: [] });
    this.#visit(onConflictClause, scope);
  }

  #rows(lists: readonly Tree[], scope: Scope): Columns {
    const rows = lists.map(({ List: { items } }) => (items as Tree[]).map((item) => this.#value(item, scope)));
    return new Map(rows[0]!.map((_, place) => [`column${place + 1}`, rows.flatMap((row) => row[place]!)]));
  }

  #targets(list: readonly Tree[] = [], scope: Scope): Columns {
    const columns = new Map<string, Value>();
    for (const { ResTarget: target } of list) {
      const path = namesOf(target.val.ColumnRef?.fields ?? []);
      if (path.at(-1) === "*") {
        const items = scope.items.filter(({ name }) => path.length === 1 || name === path[0]);
        for (const item of items) for (const [name, value] of item.columns) columns.set(name, value);
      } else {
        const name = target.name ?? path.at(-1) ?? namesOf(target.val.FuncCall?.funcname ?? []).at(-1);
        columns.set(name ?? `column${columns.size + 1}`, this.#value(target.val, scope));
      }
    }
    return columns;
  }

  #from(tree: Tree, scope: Scope): void {
    const [kind, body] = split(tree);
    const name: string | undefined = body.alias?.aliasname;
    if (kind === "RangeVar") {
      const query = scope.queries.get(body.relname);
      const columns = query?.();
      const item = columns === undefined ? tableItem(this.links, body.relname, "") : { columns };
      scope.items.push({ name: name ?? body.relname, columns: item.columns });
    } else if (kind === "RangeSubselect") {
      const columns = this.read(body.subquery, scope);
      scope.items.push({ name: name ?? "", columns: renamed(columns, namesOf(body.alias?.colnames ?? [])) });
    } else if (kind === "RangeFunction") {
      // The elements of a list, which is a parameter or comes from a column.
      const value = this.#value({ List: { items: argumentsOf(body.functions) } }, scope);
      const typed = (body.coldeflist ?? []).map(({ ColumnDef }: Tree) => ColumnDef.colname);
      const names = [...namesOf(body.alias?.colnames ?? []), ...typed, name ?? "value", "value"];
      scope.items.push({ name: name ?? "", columns: new Map(names.map((column) => [column, value])) });
    } else if (kind === "JoinExpr") this.#join(body, scope);
    else throw new Error(`a ${kind} in FROM is not read here`);
  }

  #join({ larg, rarg, quals, jointype }: Tree, scope: Scope): void {
    this.#from(larg, scope);
    const right = () => {
      this.#from(rarg, scope);
      this.#hold(quals, scope);
    };
    // What an outer join asks for restricts the rows that it adds alone.
    if (jointype === "JOIN_INNER") right();
    else if (jointype === "JOIN_LEFT") this.links.inside(right);
    else throw new Error(`a ${jointype} is not read here`);
  }

  /** `tree` is true for every row. */
  #hold(tree: Tree, scope: Scope): void {
    if (tree === undefined) return;
    const [kind, body] = split(tree);
    if (kind === "BoolExpr" && body.boolop === "AND_EXPR") {
      for (const part of body.args) this.#hold(part, scope);
      for (const [one, other] of enclosedBy(body.args)) this.#equate(one, other, scope);
    } else if (kind === "BoolExpr" && body.boolop === "OR_EXPR")
      this.links.oneOf((body.args as Tree[]).map((part) => () => this.#hold(part, scope)));
    else if (kind === "A_Expr" && isEquality(body)) this.#equate(body.lexpr, body.rexpr, scope);
    else if (kind === "SubLink") this.#subquery(body, scope);
    else this.#value(tree, scope);
  }

  #equate(left: Tree, right: Tree, scope: Scope): void {
    const pairs: [Tree, Tree][] =
      left.RowExpr !== undefined && right.RowExpr !== undefined
        ? (left.RowExpr.args as Tree[]).map((part, place) => [part, right.RowExpr.args[place]])
        : [[left, right]];
    for (const [one, other] of pairs) link(this.links, this.#value(one, scope), this.#value(other, scope));
  }

  #value(tree: Tree, scope: Scope): Value {
    if (tree === undefined) return [];
    const [kind, body] = Array.isArray(tree) ? ["", tree] : split(tree);
    if (kind === "ColumnRef") return columnOf(namesOf(body.fields), scope);
    if (kind === "ParamRef") return parameter;
    if (kind === "A_Const") return body.isnull === true ? [] : parameter;
    if (kind === "TypeCast") return this.#value(body.arg, scope);
    if (kind === "SubLink") return this.links.inside(() => this.#subquery(body, scope));
    if (kind === "CaseExpr") this.#visit([body.arg, ...body.args.map(({ CaseWhen }: Tree) => CaseWhen.expr)], scope);
    const chosen = chosenOf(kind, body);
    if (chosen !== undefined) return chosen.flatMap((part) => this.#value(part, scope));
    // What is computed of parameters alone is one as well.
    return this.#visit(body, scope) ? unknownValue : parameter;
  }

  #subquery({ subselect, testexpr, subLinkType }: Tree, scope: Scope): Value {
    const [found = unknownValue] = this.read(subselect, scope).values();
    if (subLinkType === "ANY_SUBLINK") link(this.links, this.#value(testexpr, scope), found);
    // Each element of an array is one that was found.
    return subLinkType === "EXPR_SUBLINK" || subLinkType === "ARRAY_SUBLINK" ? found : unknownValue;
  }

  /** Reads the subqueries in it, which restrict nothing outside of them; gives whether it has a column or a subquery. */
  #visit(tree: Tree, scope: Scope): boolean {
    if (tree === null || typeof tree !== "object") return false;
    if (tree.SubLink !== undefined) {
      this.#value(tree, scope);
      return true;
    }
    const found = Object.values(tree).map((part) => this.#visit(part, scope));
    return tree.ColumnRef !== undefined || found.includes(true);
  }
}

function split(tree: Tree): [kind: string, body: Tree] {
  return Object.entries(tree)[0] as [string, Tree];
}

function namesOf(parts: readonly Tree[]): string[] {
  return parts.map(({ String: text, A_Star: star }) => (star === undefined ? (text?.sval ?? "") : "*"));
}

function isEquality({ kind, name }: Tree): boolean {
  return ["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_IN", "AEXPR_NOT_DISTINCT"].includes(kind) && namesOf(name).at(-1) === "=";
}

/** What equals what because it is neither less nor more: `a >= x and a <= x`, of rows their first columns. */
function enclosedBy(parts: readonly Tree[]): [Tree, Tree][] {
  const sides = parts.flatMap(({ A_Expr: compared }) => {
    const side = compared?.kind === "AEXPR_OP" && /^[<>]=?$/.exec(namesOf(compared.name).at(-1)!)?.[0][0];
    return side ? [{ side, pair: [firstOf(compared.lexpr), firstOf(compared.rexpr)] as [Tree, Tree] }] : [];
  });
  const textOf = (pair: [Tree, Tree]): string =>
    JSON.stringify(pair, (key, value: unknown) => (key === "location" ? undefined : value));
  const least = new Set(sides.flatMap(({ side, pair }) => (side === ">" ? [textOf(pair)] : [])));
  return sides.flatMap(({ side, pair }) => (side === "<" && least.has(textOf(pair)) ? [pair] : []));
}

const firstOf = (tree: Tree): Tree => tree.RowExpr?.args[0] ?? tree;

/** The expressions of which one is the value of this one. */
function chosenOf(kind: string, body: Tree): readonly Tree[] | undefined {
  if (kind === "CoalesceExpr" || kind === "MinMaxExpr") return body.args;
  if (kind === "List") return body.items;
  if (kind === "A_ArrayExpr") return body.elements;
  // An element of a list.
  if (kind === "A_Expr" && namesOf(body.name).at(-1) === "->>") return [body.lexpr];
  if (kind === "CaseExpr") return [...body.args.map(({ CaseWhen }: Tree) => CaseWhen.result), body.defresult];
  if (kind === "FuncCall" && ["max", "min", "unnest"].includes(namesOf(body.funcname).at(-1)!)) return body.args;
  return undefined;
}

function columnOf(path: readonly string[], scope: Scope): Value {
  const name = path.at(-1)!;
  const items = scope.items.filter((item) => path.length === 1 || item.name === path[0]);
  const value = items.map(({ columns }) => columns.get(name)).find((one) => one !== undefined);
  return value ?? (scope.outer === undefined ? unknownValue : columnOf(path, scope.outer));
}

/** Of the function in FROM: a list of one, as the tree has it. */
function argumentsOf([{ List: list }]: readonly Tree[]): readonly Tree[] {
  return list.items[0].FuncCall?.args ?? [];
}
