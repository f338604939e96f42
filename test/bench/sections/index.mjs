import * as coldStart from './cold-start.mjs';
import * as decades from './decades.mjs';
import * as health from './health.mjs';
import * as http from './http.mjs';
import * as longConversations from './long-conversations.mjs';
import * as memory from './memory.mjs';
import * as queue from './queue.mjs';
import * as reuse from './reuse.mjs';
import * as scaling from './scaling.mjs';
import * as throughput from './throughput.mjs';
import * as worstCase from './worst-case.mjs';

/**
 * `run` measures and gives records, `tables` shows them, `faults` names wrong counts of ours.
 * @typedef {{ title: string, run(options: any): Promise<any[]>, tables(records: any[]): import('../tables.mjs').Table[], faults?(records: any[]): string[] }} Section
 */

/** @type {readonly (Section & { name: string })[]} */
export const SECTIONS = [
  { name: 'throughput', ...throughput },
  { name: 'decades', ...decades },
  { name: 'worst-case', ...worstCase },
  { name: 'cold-start', ...coldStart },
  { name: 'memory', ...memory },
  { name: 'scaling', ...scaling },
  { name: 'reuse', ...reuse },
  { name: 'long-conversations', ...longConversations },
  { name: 'http', ...http },
  { name: 'health', ...health },
  { name: 'queue', ...queue },
];
