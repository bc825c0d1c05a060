/** Writes files of migrations, each of the given statements, into a folder of a test. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export async function writeMigrations(folder: string, migrations: Record<string, string[]>): Promise<void> {
  const library = JSON.stringify(import.meta.resolve("@mikro-orm/migrations"));
  for (const [name, statements] of Object.entries(migrations)) {
    const lines = statements.map((statement) => `this.addSql(${JSON.stringify(statement)});`).join("\n");
    const source = `import { Migration } from ${library};\nexport class ${name} extends Migration {\nup() {\n${lines}\n}\n}\n`;
    await writeFile(join(folder, `${name}.ts`), source);
  }
}
