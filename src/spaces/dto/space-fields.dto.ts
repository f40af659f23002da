import { IsString } from 'class-validator';
import { Emoji, OneOf, Text } from '../../common/validation.js';
import { DEFAULT_LEVELS, type DefaultLevel } from '../grant.schema.js';
import { EDIT_MODES, type EditMode } from '../space.schema.js';

/** The fields of a space that bodies set. */
export class SpaceFields {
  /** Title shown in the sidebar. */
  @Text(1, 50)
  title!: string;

  @Emoji()
  emoji!: string;

  /** `locked`: primary content changes through change requests only. */
  @OneOf(EDIT_MODES)
  editMode!: EditMode;

  /** Role of members without an entry of their own; `null` for none, `inherit` for what the level above says. */
  @OneOf(DEFAULT_LEVELS)
  defaultLevel!: DefaultLevel;

  /** Id of the collection to stand in. */
  @IsString()
  parent!: string;
}
