import { PageQuery } from '../../common/page.dto.js';
import { QueryOneOf } from '../../common/validation.js';

/** Which links are wanted. */
export class LinksQueryDto extends PageQuery {
  /** Only those in this state. */
  @QueryOneOf(['ok', 'broken', 'in-app'])
  status?: 'ok' | 'broken' | 'in-app';
}
