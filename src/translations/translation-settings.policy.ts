import { type Member, organizationRights } from '../organizations/index.js';

/** What the caller may do with translation settings. */
export class TranslationSettingsPermissions {
  view!: boolean;
  /** Change and remove them. */
  edit!: boolean;
}

/** What `member` may do with the translation settings of the organization of the membership (decision 2). `null`: a stranger. */
export function translationSettingsPermissions(member: Member | null): TranslationSettingsPermissions {
  const { read, admin } = organizationRights(member);
  return { view: read, edit: admin };
}
