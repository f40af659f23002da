import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Urls } from '../common/urls.js';
import { Config } from './config.js';
import { SecretKey } from './signing.js';
import { secretKeyOf } from './secret-key.js';

/** Gives every module the configuration, the addresses that follow from it and the key of the installation. */
@Global()
@Module({})
export class ConfigModule {
  /** @param config What `loadConfig` made. */
  static of(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Urls, useFactory: () => new Urls(config.PUBLIC_URL, config.APP_URL, config.PUBLISHED_URL) },
        { provide: SecretKey, useFactory: () => new SecretKey(secretKeyOf(config), config.SECRET_KEY_FORMER) },
      ],
      exports: [Config, Urls, SecretKey],
    };
  }
}
