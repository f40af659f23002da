import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import type { Member } from '../organizations/index.js';
import { type Language, LANGUAGES } from './languages.js';
import { TranslationSettingsPermissions, translationSettingsPermissions } from './translation-settings.policy.js';
import type { TranslationSettings } from './translation-settings.schema.js';

/** Where translation settings are reached. */
export class TranslationSettingsUrls {
  location!: string;
}

/** Translation settings, as the API returns them. */
export class TranslationSettingsView {
  object!: 'translation-settings';
  id!: string;
  title!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: LANGUAGES } })
  languages!: Language[];
  permissions!: TranslationSettingsPermissions;
  urls!: TranslationSettingsUrls;
}

export class TranslationSettingsPage extends PageOf(TranslationSettingsView) {}

/** Shapes `settings` for the caller whose membership is `member`. */
export function toTranslationSettings(
  settings: TranslationSettings,
  { member, urls }: { member: Member | null; urls: Urls },
): TranslationSettingsView {
  return {
    object: 'translation-settings',
    id: settings._id,
    title: settings.title,
    createdAt: settings.createdAt.toISOString(),
    updatedAt: settings.updatedAt.toISOString(),
    languages: settings.languages,
    permissions: translationSettingsPermissions(member),
    urls: { location: urls.api('orgs', settings.organization, 'translations', settings._id) },
  };
}
