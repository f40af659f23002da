import { ValidateBy } from 'class-validator';
import { QueryBoolean, QueryText } from '../../common/validation.js';

/** Which part of the content is printed. */
export class PdfQueryDto {
  /** Whether to print the page that `page` names without those below it; takes `page` too (decision 5.42). */
  @QueryBoolean(false)
  @ValidateBy({
    name: 'onlyPage',
    validator: {
      validate: (only: unknown, args) => only !== true || (args?.object as PdfQueryDto).page !== undefined,
      defaultMessage: () => 'only takes a page: name it with page',
    },
  })
  only?: boolean;

  /** Id of the page to begin with; absent: everything. */
  @QueryText()
  page?: string;
}
