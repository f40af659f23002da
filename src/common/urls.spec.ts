import { Urls } from './urls.js';

const urls = new Urls(
  'https://docs.example.org/base',
  'https://app.example.org',
  'https://docs.example.org/base/published',
);

describe('Urls', () => {
  it('builds addresses below each of its bases', () => {
    expect(urls.api('spaces', 'x1', 'content')).toBe('https://docs.example.org/base/v1/spaces/x1/content');
    expect(urls.app('s', 'x1')).toBe('https://app.example.org/s/x1');
    expect(urls.published('site')).toBe('https://docs.example.org/base/published/site');
    expect(urls.service('docs')).toBe('https://docs.example.org/base/docs');
  });

  it('is the base itself without segments', () => {
    expect(urls.app()).toBe('https://app.example.org');
    expect(urls.api()).toBe('https://docs.example.org/base/v1');
  });

  it('keeps a segment one segment, whatever it holds', () => {
    expect(urls.app('a/b', '..?x=1#y', 'ü %')).toBe('https://app.example.org/a%2Fb/..%3Fx%3D1%23y/%C3%BC%20%25');
  });
});
