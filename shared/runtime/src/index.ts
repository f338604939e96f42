export { type Config, ConfigError, printableConfig, readConfig } from './config.js';
export { stopGracefully } from './graceful-stop.js';
export { createLog, type FlushableLog, type Log } from './log.js';
export { Metrics, type MetricsSources, type PoolFigures, type QueueFigures } from './metrics.js';
export { OncePerKey } from './once-per-key.js';
export { settingsSchema } from './settings.js';
export { Turn } from './turn.js';
