import {
  type Issue,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type TextRef,
} from '@preflight/core';

/** More than these help nobody, and would let a broken request of many messages make a large answer. */
export const MAX_ISSUES = 20;

/**
 * Collects what is wrong with a request. Each `read` method gives the field in the form that counts, or notes an
 * issue and gives undefined; absent and null fields are undefined without an issue.
 *
 * Pointers are relative to the message that is being read, and put together only for what is wrong: a conversation
 * may have 100,000 messages, all right.
 */
export class IssueList {
  readonly issues: Issue[] = [];
  /** The message that is being read; undefined outside of the list of messages. */
  messageIndex: number | undefined;

  /** `list` is the field in which the messages stand. */
  constructor(readonly list = 'messages') {}

  get isFull(): boolean {
    return this.issues.length >= MAX_ISSUES;
  }

  add(pointer: string, detail: string): void {
    if (this.isFull) return;
    this.issues.push({ pointer: this.place(pointer), detail });
  }

  /** A place in the message that is being read, as a pointer of the request. */
  place(pointer: string): string {
    return this.messageIndex === undefined ? pointer : `/${this.list}/${this.messageIndex}${pointer}`;
  }

  readText(value: Json | undefined, pointer: string): TextRef | undefined {
    if (isAbsent(value)) return undefined;
    if (isText(value)) return value;
    this.add(pointer, 'must be a string');
    return undefined;
  }

  /** A role is never absent. */
  readRole(value: Json | undefined): string | undefined {
    if (typeof value === 'string' && value !== '') return value;
    this.add('/role', 'must be a short string that is not empty');
    return undefined;
  }

  /** For names and types: texts so long that they were kept as bytes are refused. */
  readShortText(value: Json | undefined, pointer: string): string | undefined {
    const text = this.readText(value, pointer);
    if (text === undefined || typeof text === 'string') return text;
    this.add(pointer, 'is too long');
    return undefined;
  }

  readObject(value: Json | undefined, pointer: string): JsonObject | undefined {
    if (isAbsent(value)) return undefined;
    if (isObject(value)) return value;
    this.add(pointer, 'must be an object');
    return undefined;
  }

  readObjects(value: Json | undefined, pointer: string): readonly JsonObject[] | undefined {
    if (isAbsent(value)) return undefined;
    if (!Array.isArray(value)) {
      this.add(pointer, 'must be an array of objects');
      return undefined;
    }
    if (value.every(isObject)) return value;
    for (let index = 0; index < value.length && !this.isFull; index++) {
      if (!isObject(value[index])) this.add(`${pointer}/${index}`, 'must be an object');
    }
    return undefined;
  }
}
