import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith, removedWith } from '../audit/index.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import type { Language } from './languages.js';
import { MAX_SETTINGS, TranslationSettings } from './translation-settings.schema.js';

/** What translation settings are given. */
interface Fields {
  title: string;
  languages?: Language[];
}

/** Translation settings of organizations. */
@Injectable()
export class TranslationsService {
  constructor(
    @InjectModel(TranslationSettings.name) private readonly settings: Model<TranslationSettings>,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  /** The settings `id` of `organization`. @throws NotFoundException when there are none. */
  async get(organization: string, id: string): Promise<TranslationSettings> {
    const found = isId(id) ? await this.settings.findOne({ _id: id, organization }).lean<TranslationSettings>() : null;
    if (!found) throw notFound();
    return found;
  }

  /** One page of the settings of `organization`, newest first. */
  list(organization: string, query: ListQuery): Promise<Page<TranslationSettings>> {
    return findPage(this.settings, { organization }, query);
  }

  /** Makes settings, in English unless `languages` says otherwise. @throws ConflictException when there are too many. */
  create(organization: string, fields: Fields): Promise<TranslationSettings> {
    return this.database.transaction(async () => {
      if ((await this.settings.countDocuments({ organization })) >= MAX_SETTINGS) {
        throw new ConflictException(`An organization has at most ${String(MAX_SETTINGS)} translation settings`);
      }
      const [made] = await this.settings.create([{ organization, ...storable(fields) }]);
      if (!made) throw new Error('The translation settings were not made');
      const changes = madeWith({ ...storable(fields) });
      await this.audit.record({ organization, action: 'translation-settings.create', id: made._id, changes });
      return made.toObject<TranslationSettings>();
    });
  }

  /**
   * Replaces the title, and the languages where they are given (decision 5.52).
   * @throws NotFoundException when the settings are gone.
   */
  update({ _id, organization }: TranslationSettings, fields: Fields): Promise<TranslationSettings> {
    return this.database.transaction(async () => {
      const before = await this.get(organization, _id);
      const set = storable(fields);
      const updated = await this.settings
        .findOneAndUpdate({ _id }, { $set: { ...set } }, { returnDocument: 'after' })
        .lean<TranslationSettings>();
      if (!updated) throw notFound();
      const action = 'translation-settings.update';
      await this.audit.recordUpdate({ organization, action, id: _id }, [before, updated], set);
      return updated;
    });
  }

  /** Removes settings for good. @throws NotFoundException when they are gone. */
  remove({ _id, organization, title }: TranslationSettings): Promise<void> {
    return this.database.transaction(async () => {
      const { deletedCount } = await this.settings.deleteOne({ _id });
      if (deletedCount === 0) throw notFound();
      const changes = removedWith({ title });
      await this.audit.record({ organization, action: 'translation-settings.delete', id: _id, changes });
    });
  }
}

const notFound = (): NotFoundException => new NotFoundException('Translation settings not found');

/** The fields as they are stored: each language once. */
function storable({ title, languages }: Fields): Fields {
  return { title, ...(languages && { languages: [...new Set(languages)] }) };
}
