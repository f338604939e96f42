import { readFileSync, statSync } from 'node:fs';
import type { Issue, PreflightError } from '@preflight/core';
import { ConfigError } from '@preflight/runtime';

/** A JSON file that an operator names in a setting, read and checked. */
export interface OperatorFile<Content> {
  readonly content: Content;
  /** Day of its last change, as in `2026-12-01`. */
  readonly date: string;
  /** The error that tells faults found in it later, each with its place. */
  faulty(issues: readonly Issue[]): ConfigError;
}

/** Reads the file that `setting` names. Throws ConfigError with every fault that `check` finds, and its place in the file. */
export function readOperatorFile<Content>(
  setting: string,
  path: string,
  check: (content: unknown) => void,
): OperatorFile<Content> {
  const faulty = (issues: readonly Issue[]) =>
    new ConfigError(
      issues.map(({ pointer, detail }) => `${setting}: ${path}: ${`${pointer} ${detail}`.trim()}`),
    );
  let content: unknown;
  let date: string;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
    date = statSync(path).mtime.toISOString().slice(0, 'YYYY-MM-DD'.length);
  } catch (error) {
    throw faulty([{ pointer: '', detail: `cannot be read: ${(error as Error).message}` }]);
  }
  try {
    check(content);
  } catch (error) {
    throw faulty((error as PreflightError).issues ?? [{ pointer: '', detail: 'is no object' }]);
  }
  return { content: content as Content, date, faulty };
}
