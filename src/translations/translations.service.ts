import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
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
  constructor(@InjectModel(TranslationSettings.name) private readonly settings: Model<TranslationSettings>) {}

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
  async create(organization: string, fields: Fields): Promise<TranslationSettings> {
    if ((await this.settings.countDocuments({ organization })) >= MAX_SETTINGS) {
      throw new ConflictException(`An organization has at most ${String(MAX_SETTINGS)} translation settings`);
    }
    const [made] = await this.settings.create([{ organization, ...storable(fields) }]);
    if (!made) throw new Error('The translation settings were not made');
    return made.toObject<TranslationSettings>();
  }

  /**
   * Replaces the title, and the languages where they are given (decision 5.52).
   * @throws NotFoundException when the settings are gone.
   */
  async update({ _id }: TranslationSettings, fields: Fields): Promise<TranslationSettings> {
    const updated = await this.settings
      .findOneAndUpdate({ _id }, { $set: storable(fields) }, { returnDocument: 'after' })
      .lean<TranslationSettings>();
    if (!updated) throw notFound();
    return updated;
  }

  /** Removes settings for good. @throws NotFoundException when they are gone. */
  async remove({ _id }: TranslationSettings): Promise<void> {
    const { deletedCount } = await this.settings.deleteOne({ _id });
    if (deletedCount === 0) throw notFound();
  }
}

const notFound = (): NotFoundException => new NotFoundException('Translation settings not found');

/** The fields as they are stored: each language once. */
function storable({ title, languages }: Fields): Fields {
  return { title, ...(languages && { languages: [...new Set(languages)] }) };
}
