import type { FastifyInstance } from 'fastify';

/**
 * Notes the routes that are added from now on. Answers a function that tells by which methods an address may be called,
 * whatever stands in its parameters; none if there is no such address.
 */
export function watchRoutes(app: FastifyInstance): (url: string) => string[] {
  const routes = new Map<string, { readonly expression: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { expression: expressionOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return (url) => {
    const path = url.split('?')[0] as string;
    const matching = [...routes.values()].filter(({ expression }) => expression.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** `:name` stands for a segment, `:name(expression)` for a part of one, `::` for a colon, `*` for whatever follows. */
function expressionOf(pattern: string): RegExp {
  const expression = pattern.replace(
    /::|:\w+\(\^?([^)]*)\)|:[^/]+|\*|[.+?^${}()|[\]\\]/g,
    (found, ofName: string | undefined) => {
      if (found === '::') return ':';
      if (found === '*') return '.*';
      if (ofName !== undefined) return ofName.replace('[^', '[^/');
      return found.startsWith(':') ? '[^/]+' : `\\${found}`;
    },
  );
  return new RegExp(`^${expression}$`);
}
