import { type Calibrations, problemOf, toPreflightError } from '@preflight/api';
import { parseBody } from '@preflight/body';
import type { CalibrationResponse, Problem } from '@preflight/contracts';
import { type Json, PreflightError } from '@preflight/core';
import { readConfig } from '@preflight/runtime';
import type { Command } from './arguments.js';
import { calibrationsReport, usageReport } from './calibrations-report.js';
import { openCalibrations, StoreError } from './open-calibrations.js';
import { readBytes } from './read-input.js';

/** `preflight calibrations`: tells what was learned of models, takes usages of a file, or forgets; the exit code says how it went. */
export async function answerCalibrations(command: Command & { name: 'calibrations' }): Promise<number> {
  const { calibrations, close } = await openCalibrations(readConfig());
  try {
    switch (command.action) {
      case 'list':
        return await list(calibrations, command.isJson);
      case 'add':
        return await add(calibrations, command.file, command.isJson);
      case 'reset':
        await calibrations.clear(command.model);
        return 0;
    }
  } catch (error) {
    if (!(error instanceof PreflightError) || error.code !== 'storage_unavailable') throw error;
    throw new StoreError(error.publicDetail);
  } finally {
    await close();
  }
}

async function list(calibrations: Calibrations, isJson: boolean): Promise<number> {
  const answer = await calibrations.list();
  const report = calibrationsReport(answer.calibrations, process.stdout.columns ?? 120);
  process.stdout.write(isJson ? `${JSON.stringify(answer)}\n` : report);
  return 0;
}

const SOME_NOT_TAKEN = 2;
const SOME_REFUSED = 65;

/** Each usage by itself: one that is faulty or teaches nothing keeps no other from being taken. */
async function add(calibrations: Calibrations, file: string, isJson: boolean): Promise<number> {
  let exitCode = 0;
  const print = (number: number, answer: CalibrationResponse | Problem) =>
    process.stdout.write(isJson ? `${JSON.stringify(answer)}\n` : usageReport(number, answer));
  for (const [index, usage] of usagesIn(await readBytes(file)).entries()) {
    try {
      const answer = await calibrations.add(usage(), Date.now());
      if (!answer.taken) exitCode ||= SOME_NOT_TAKEN;
      print(index + 1, answer);
    } catch (error) {
      const refusal = toPreflightError(error);
      if (refusal.code === 'internal_error' || refusal.code === 'storage_unavailable') throw error;
      exitCode = SOME_REFUSED;
      const { body } = problemOf(refusal, { instance: '/v1/calibrations', requestId: `usage-${index + 1}` });
      print(index + 1, body as unknown as Problem);
    }
  }
  return exitCode;
}

/** One usage on each line, or JSON of one usage, or of a list of them. Each throws what is wrong with it. */
function usagesIn(bytes: Uint8Array): (() => Json)[] {
  const whole = parsed(bytes);
  if (Array.isArray(whole)) return whole.map((usage) => () => usage);
  if (whole !== undefined) return [() => whole];
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => () => parseBody(Buffer.from(line)));
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return parseBody(bytes);
  } catch {
    return undefined;
  }
}
