/** The titles of tasks in a text index. */
import { defineRecordNames } from "../text-index/record-names.ts";

export const taskNames = defineRecordNames({ table: "tasks", column: "title", indexTable: "task_texts" });
