import { IsString } from 'class-validator';
import { OneOf, Text } from '../../common/validation.js';
import { DEFAULT_LEVELS, type DefaultLevel } from '../grant.schema.js';

/** The fields of a collection that bodies set. */
export class CollectionFields {
  /** Title shown in the sidebar. */
  @Text(1, 50)
  title!: string;

  @Text(0, 100)
  description!: string;

  /** Role of members without an entry of their own; `null` for none, `inherit` for what the level above says. */
  @OneOf(DEFAULT_LEVELS)
  defaultLevel!: DefaultLevel;

  /** Id of the collection to stand in. */
  @IsString()
  parent!: string;
}
