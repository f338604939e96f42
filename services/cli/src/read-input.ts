import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseBody, receiveBody } from '@preflight/body';
import { isObject, type Json, PreflightError } from '@preflight/core';
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

/** As much as the largest body of the HTTP service: offsets in it are 31 bits. */
const LIMIT_BYTES = 1024 * 1024 * 1024;

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const contentLength = file === '-' ? undefined : (await stat(file)).size;
    const stream = file === '-' ? process.stdin : createReadStream(file);
    return await receiveBody(stream, { limitBytes: LIMIT_BYTES, contentLength });
  } catch (error) {
    throw new InputError(`cannot read ${file === '-' ? 'standard input' : file}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PreflightError)) return (error as Error).message;
  return error.cause instanceof Error ? error.cause.message : error.publicDetail;
}
