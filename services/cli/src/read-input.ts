import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MAX_BODY_BYTES, parseBody, receiveBody } from '@preflight/body';
import { isObject, type Json, type JsonObject, PreflightError } from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import type { InputOptions } from './arguments.js';
import { isProviderRequest } from './provider-request.js';

/** The file cannot be read. Exit code 66 (EX_NOINPUT of sysexits). */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * The body of an HTTP call from a file or standard input (`-`), with the options of the command line laid over it. A
 * provider's request is told by its shape; the fields of a conversation alone are flat if their format is named.
 * Throws InputError, and PreflightError for what is too large or no JSON.
 */
export async function readInput(file: string, { isRequest, overrides }: InputOptions): Promise<Json> {
  const tree = parseBody(await readBytes(file));
  if (Array.isArray(tree)) return { messages: tree, ...overrides };
  if (isRequest) return { request: tree, ...overrides };
  if (!isObject(tree)) return tree;
  const isGiven = isProviderRequest(tree) && !(overrides.format !== undefined && isFlat(tree));
  return isGiven ? { request: tree, ...overrides } : { ...tree, ...overrides };
}

function isFlat(body: JsonObject): boolean {
  const flat: ReadonlySet<string> = new Set(['model', ...FLAT_FIELDS]);
  return Object.keys(body).every((name) => flat.has(name));
}

/** All of a file or of standard input (`-`). Throws InputError, and PreflightError for what is too large. */
export async function readBytes(file: string): Promise<Uint8Array> {
  // Opened by its name, standard input could not be read where it is a socket.
  const isInput = file === '-' || file === '/dev/stdin';
  try {
    // A pipe has a size of 0, which announces nothing.
    const contentLength = isInput ? undefined : (await stat(file)).size;
    const stream = isInput ? process.stdin : createReadStream(file);
    return await receiveBody(stream, { limitBytes: MAX_BODY_BYTES, contentLength });
  } catch (error) {
    if (error instanceof PreflightError && error.code === 'body_too_large') throw error;
    throw new InputError(`cannot read ${isInput ? 'standard input' : file}: ${reasonOf(error)}`);
  }
}

const REASONS = new Map<unknown, string>([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

/** Why a file could not be read, in words. */
export function reasonOf(error: unknown): string {
  // A stream that fails is told as an error of ours, with what happened as its cause.
  const cause = (error instanceof PreflightError ? error.cause : error) as NodeJS.ErrnoException;
  return REASONS.get(cause.code) ?? cause.message;
}
