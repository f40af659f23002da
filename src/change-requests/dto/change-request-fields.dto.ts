import { OneOf, Text } from '../../common/validation.js';
import { MAX_SUBJECT } from '../change-request.schema.js';

/** The fields of a change request that bodies set. */
export class ChangeRequestFields {
  /** What it is about. */
  @Text(0, MAX_SUBJECT)
  subject!: string;

  /** `merged` is set by a merge alone. */
  @OneOf(['draft', 'open', 'archived'])
  status!: 'draft' | 'open' | 'archived';
}
