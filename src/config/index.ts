export { Config, ConfigError, loadConfig } from './config.js';
export { ConfigModule } from './config.module.js';
export { SecretKey } from './signing.js';
