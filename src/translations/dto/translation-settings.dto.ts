import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { TranslationSettingsFields } from './translation-settings-fields.dto.js';

/**
 * Body of `POST /v1/orgs/:organizationId/translations` and of `PUT` on one of them; without `languages`, there is English,
 * or what was there.
 */
export class TranslationSettingsDto extends IntersectionType(
  PickType(TranslationSettingsFields, ['title']),
  PartialType(PickType(TranslationSettingsFields, ['languages']), { skipNullProperties: false }),
) {}
