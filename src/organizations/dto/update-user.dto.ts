import { Nullable, Optional, Text, WebAddress } from '../../common/validation.js';

/** Body of `PATCH /v1/users/:userId`; an absent field is left as it is. */
export class UpdateUserDto {
  @Optional()
  @Text(1, 64)
  displayName?: string;

  /** Address of a picture; `null` removes it. */
  @Nullable()
  @WebAddress()
  photoURL?: string | null;
}
