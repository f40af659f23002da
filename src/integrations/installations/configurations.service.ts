import { isDeepStrictEqual } from 'node:util';
import { BadRequestException, Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import type { Change } from '../../audit/index.js';
import { reseal, seal, SecretKey, unseal } from '../../config/index.js';
import type { SealedKind } from '../../database/index.js';
import type { ConfigurationSchema } from '../declared/configuration-schema.js';
import { type Configuration, readConfiguration } from '../declared/configuration.js';
import { DeclarationError } from '../declared/reading.js';
import type { Opened } from './installation.view.js';

const SEALED_FOR = 'installation-configuration';

/** A record with a configuration. */
interface Configured {
  _id: string;
  configuration: string | null;
}

/** A configuration that somebody sends: `text` is how it is stored. */
export interface SentConfiguration {
  value: Configuration;
  text: string;
}

/** What was set for integrations: sealed where it is stored, since it often holds keys of others. */
@Injectable()
export class Configurations {
  constructor(private readonly key: SecretKey) {}

  /** `record` with its configuration as it was set. @throws Error when it was sealed with a key that is not there. */
  open<T extends Configured>(record: T): Opened<T> {
    return { ...record, configuration: this.valueOf(record) };
  }

  /** The same; `null` where it was sealed with a key that is not there. */
  tryToOpen<T extends Configured>(record: T): Opened<T> | null {
    try {
      return this.open(record);
    } catch {
      return null;
    }
  }

  /**
   * `configuration` as the record `owner` keeps it; `null`: none was sent.
   * @throws BadRequestException naming the first property that `schema` does not allow.
   */
  sealing(
    owner: string,
    configuration: object | undefined,
    schema: ConfigurationSchema | undefined,
  ): SentConfiguration | null {
    if (configuration === undefined) return null;
    try {
      const value = readConfiguration(configuration, schema);
      return { value, text: seal(this.key, SEALED_FOR, owner, JSON.stringify(value)) };
    } catch (error) {
      if (error instanceof DeclarationError) throw new BadRequestException(error.message);
      throw error;
    }
  }

  /** Whether `sent` says something else than `record` does. */
  differs(record: Configured, sent: SentConfiguration | null): sent is SentConfiguration {
    return sent !== null && !isDeepStrictEqual(this.valueOf(record), sent.value);
  }

  /** What is recorded of a configuration that is set: that it was. */
  recorded(set: { configuration?: string }): Record<string, Change> {
    return set.configuration === undefined ? {} : { configuration: { after: 'set' } };
  }

  /** How the configurations of `model` are sealed anew. */
  kindOf<T extends Configured>(model: Model<T>): SealedKind<T, 'configuration'> {
    return {
      model,
      fields: ['configuration'],
      reseal: ({ _id, configuration }) => {
        const again = configuration === null ? null : reseal(this.key, SEALED_FOR, _id, configuration);
        return again === null ? null : { configuration: again };
      },
    };
  }

  private valueOf({ _id, configuration }: Configured): Configuration {
    if (configuration === null) return {};
    return JSON.parse(unseal(this.key, SEALED_FOR, _id, configuration)) as Configuration;
  }
}
