import { type Member, organizationRights } from '../organizations/index.js';

/** What the caller may do with the description of an API. */
export class OpenApiSpecPermissions {
  /** See it and its versions. */
  view!: boolean;
  /** Change its source, and remove it. */
  edit!: boolean;
}

/** What `member` may do with the descriptions of the organization of the membership (decision 2). `null`: a stranger. */
export function openApiSpecPermissions(member: Member | null): OpenApiSpecPermissions {
  const { read, createOpenAPISpec } = organizationRights(member);
  return { view: read, edit: createOpenAPISpec };
}
