import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseBody, receiveBody } from '@preflight/body';
import { type Json, type JsonObject, TextRange } from '@preflight/core';
import type { InputOptions } from './arguments.js';

/** The file cannot be read. Exit code 66 (EX_NOINPUT of sysexits). */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * The body of an HTTP call from a file or standard input (`-`), with the options of the command line laid over it.
 * Throws InputError, and PreflightError for what is no JSON.
 */
export async function readInput(file: string, { isRequest, overrides }: InputOptions): Promise<Json> {
  const tree = parseBody(await readBytes(file));
  if (Array.isArray(tree)) return { messages: tree, ...overrides };
  if (isRequest) return { request: tree, ...overrides };
  return isObject(tree) ? { ...tree, ...overrides } : tree;
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const contentLength = file === '-' ? undefined : (await stat(file)).size;
    const stream = file === '-' ? process.stdin : createReadStream(file);
    return await receiveBody(stream, { limitBytes: Number.MAX_SAFE_INTEGER, contentLength });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    throw new InputError(`cannot read ${file === '-' ? 'standard input' : file}: ${cause.message}`);
  }
}

function isObject(tree: Json): tree is JsonObject {
  return typeof tree === 'object' && tree !== null && !(tree instanceof TextRange);
}
