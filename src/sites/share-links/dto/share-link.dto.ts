import { IsBoolean } from 'class-validator';
import { Optional, Text } from '../../../common/validation.js';

/** Body of `POST …/share-links`. */
export class CreateShareLinkDto {
  /** Names need not differ. */
  @Text(0, 50)
  name!: string;
}

/** Body of `PATCH …/share-links/:shareLinkId`; an absent field is left as it is. */
export class UpdateShareLinkDto {
  /** `false`: its key admits nobody. */
  @Optional()
  @IsBoolean()
  active?: boolean;

  @Optional()
  @Text(0, 50)
  name?: string;
}
