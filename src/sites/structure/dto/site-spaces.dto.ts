import { IsString } from 'class-validator';
import { PageQuery } from '../../../common/page.dto.js';
import { Optional, QueryBoolean, QueryText } from '../../../common/validation.js';
import { Condition, Path, SpaceReferenceFields } from './structure-fields.dto.js';

/** Body of `POST …/site-spaces`. */
export class AddSiteSpaceDto extends SpaceReferenceFields {
  /** Id of the section to put it into; left out, the default one, or the root of a site without sections. */
  @Optional()
  @IsString()
  sectionId?: string;
}

/** Body of `PATCH …/site-spaces/:siteSpaceId`; an absent field is left as it is. */
export class UpdateSiteSpaceDto {
  @Optional()
  @Path()
  path?: string;

  @Condition()
  condition?: string | null;
}

/** Query of lists of the parts of a site that whoever it admits can read. */
export class ListPartsQuery extends PageQuery {
  /** Secret of a share link. */
  @QueryText()
  shareKey?: string;
}

/** Query of `GET …/site-spaces`. */
export class ListSiteSpacesQuery extends ListPartsQuery {
  /** `true`: only the default ones; `false`: only the others. */
  @QueryBoolean()
  default?: boolean;
}

/** Query of `GET …/structure`. */
export class StructureQuery {
  /** Secret of a share link. */
  @QueryText()
  shareKey?: string;
}
