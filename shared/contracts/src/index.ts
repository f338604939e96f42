export * from './attachment-facts.js';
export * from './figure.js';
export * from './fit-options.js';
export * from './job-response.js';
export * from './jobs.js';
export * from './request.js';
export * from './response.js';
export * from './work.js';
