import { IsString } from 'class-validator';

/** Body of `POST /v1/spaces/:spaceId/transfer`. */
export class TransferSpaceDto {
  /** Id of the organization to give the space to. */
  @IsString()
  organization!: string;
}
