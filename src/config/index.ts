export { Config, ConfigError, loadConfig } from './config.js';
export { ConfigModule } from './config.module.js';
export { reseal, seal, unseal } from './sealing.js';
export { SecretKey } from './signing.js';
