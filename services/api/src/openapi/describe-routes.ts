import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { withNamedSchemas } from './named-schemas.js';

/** Describes the routes that are added from now on at `/openapi.json`, and for readers at `/docs`. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Preflight',
        description:
          'Counts conversations exactly and makes them fit the context window, before the call is made.',
        version: '0.1.0',
      },
    },
    transformObject: (made) => ('openapiObject' in made ? withNamedSchemas(made.openapiObject as never) : {}),
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.get('/', { schema: { hide: true } }, async (_, reply) => reply.redirect('/docs'));
}
