/** The name of a table, column or index in a statement of a migration, quoted or not, as a group of a regular expression. */
export const statementName = '["`]?(\\w+)["`]?';
