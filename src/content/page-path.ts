import { ApiParam } from '@nestjs/swagger';

/** Documents the rest of a path that names a page. */
export const PathParam = () =>
  ApiParam({
    name: 'pagePath',
    type: String,
    description:
      'Path of a document or group: slugs joined with `/`, or with `%2F`; in any case, without slashes around.',
    example: 'guide%2Fstart',
  });

/** The path that the segments of an address name, whether its slashes were encoded or not. */
export function joinedPath(segments: string | readonly string[]): string {
  return typeof segments === 'string' ? segments : segments.join('/');
}
