import type { FastifyInstance } from 'fastify';

/**
 * Notes the routes that are added from now on. Answers a function that tells by which methods an address may be called,
 * whatever stands in its parameters; none if there is no such address.
 */
export function watchRoutes(app: FastifyInstance): (url: string) => string[] {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsOf.set(url, methods);
  });
  return (url) => {
    const path = url.split('?')[0] as string;
    const matching = [...methodsOf].filter(([pattern]) => expressionOf(pattern).test(path));
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort();
  };
}

/** `:name` stands for a segment, `*` for whatever follows. */
function expressionOf(pattern: string): RegExp {
  const quoted = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${quoted.replace(/:[^/]+/g, '[^/]+').replaceAll('*', '.*')}$`);
}
