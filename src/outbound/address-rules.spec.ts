import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { AddressRules } from './address-rules.js';

const rules = new AddressRules([]);

describe('the rules about addresses', () => {
  it.each([
    ['this network', ['0.0.0.0', '0.1.2.3']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1', 'fec0::1']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    ['link-local, where clouds tell secrets', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    [
      'documentation and benchmarks',
      ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1'],
    ],
    ['multicast, broadcast and the future', ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::7f00:1', '::ffff:0:7f00:1']],
    ['NAT64, 6to4 and Teredo', ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::1', '2001::1']],
    ['the rest of what is reserved', ['192.0.0.8', '192.88.99.1', '100::1', '5f00::1', '4000::1', '2001:20::1']],
    ['what is no address', ['', 'localhost', '256.1.1.1', '1.2.3.4/8', '[::1]']],
  ])('refuse %s', (_name, addresses) => {
    expect(addresses.filter((address) => rules.allowsAddress(address))).toEqual([]);
  });

  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'])(
    'allow the public address %s',
    (address) => {
      expect(rules.allowsAddress(address)).toBe(true);
    },
  );

  it('refuse whatever begins with an octet that is reserved', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const reserved = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    );
    fc.assert(
      fc.property(reserved, (octets) => {
        const address = octets.join('.');
        expect(rules.allowsAddress(address)).toBe(false);
        expect(rules.allowsAddress(`::ffff:${address}`)).toBe(false);
      }),
      { numRuns: cases(200, 5000) },
    );
  });

  it('allow networks, addresses and hosts that are named, and no others', () => {
    const allowing = new AddressRules(['10.1.0.0/16', '127.0.0.1', '::1', 'fd00::/8', 'Wiki.Internal']);
    const tried = ['10.1.255.1', '::ffff:10.1.0.1', '127.0.0.1', '::1', 'fd12::1', '10.2.0.1', '127.0.0.2', 'fc00::1'];
    expect(tried.filter((address) => allowing.allowsAddress(address))).toEqual(tried.slice(0, 5));
    expect(
      ['wiki.internal', 'WIKI.INTERNAL', 'internal', '127.0.0.1'].map((name) => allowing.allowsHost(name)),
    ).toEqual([true, true, false, false]);
  });

  it('refuse the ports of mail, files and directories', () => {
    expect([0, 21, 22, 25, 110, 389, 6000, 6667].filter((port) => rules.allowsPort(port))).toEqual([]);
    expect([80, 443, 3000, 8080, 27017, 65535].every((port) => rules.allowsPort(port))).toBe(true);
  });
});
