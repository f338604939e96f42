import { readFileSync, statSync } from 'node:fs';
import type { Issue } from '@preflight/core';
import { ConfigError } from '@preflight/runtime';
import type { TSchema } from 'typebox';
import { schemaFaults } from '../requests/schema-faults.js';

/** A JSON file that an operator names in a setting, read and checked. */
export interface OperatorFile<Content> {
  readonly content: Content;
  /** Day of its last change, as in `2026-12-01`. */
  readonly date: string;
  /** The error that tells faults found in it later, each with its place. */
  faulty(issues: readonly Issue[]): ConfigError;
}

/** Reads the file that `setting` names. Throws ConfigError with everything that its schema is against, and its place in the file. */
export function readOperatorFile<Content>(
  setting: string,
  path: string,
  schema: TSchema,
): OperatorFile<Content> {
  const faulty = (issues: readonly Issue[]) =>
    new ConfigError(
      issues.map(({ pointer, detail }) => `${setting}: ${path}: ${pointer || 'the file'} ${detail}`),
    );
  const wrong = (detail: string) => faulty([{ pointer: '', detail }]);
  let text: string;
  let date: string;
  try {
    text = readFileSync(path, 'utf8');
    date = statSync(path).mtime.toISOString().slice(0, 'YYYY-MM-DD'.length);
  } catch (error) {
    throw wrong(`cannot be read: ${(error as Error).message}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not valid JSON: ${(error as Error).message}`);
  }
  const issues = schemaFaults(schema, { tellsTexts: true })(content);
  if (issues.length > 0) throw faulty(issues);
  return { content: content as Content, date, faulty };
}
