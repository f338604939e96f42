import type { ChainableCommander } from 'ioredis';

/** Runs a pipeline or transaction; throws the first failure in it, and otherwise gives the answers. */
export async function answersOf(commands: ChainableCommander): Promise<unknown[]> {
  const results = (await commands.exec().catch(throwReason)) ?? [];
  const failure = results.find(([error]) => error !== null)?.[0];
  if (failure) throw failure;
  return results.map(([, answer]) => answer);
}

/** A transaction that is refused fails as EXECABORT; the reason is the failure of the command before that. */
function throwReason(error: Error & { readonly previousErrors?: readonly Error[] }): never {
  throw error.previousErrors?.[0] ?? error;
}
