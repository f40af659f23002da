import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Network = [Address, number];

/** All that IPv6 has of public addresses so far; whatever lies outside is reserved, or leads elsewhere (NAT64). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ports on which a request of ours could be taken for another protocol: the list of the Fetch standard. */
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Which addresses may be connected to: public ones, and what the configuration allows besides (`OUTBOUND_ALLOW`). */
export class AddressRules {
  private readonly hosts = new Set<string>();
  private readonly networks: Network[] = [];

  /** @param allowed Networks (`10.1.0.0/16`), addresses and names of hosts. */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      if (ipaddr.isValidCIDR(entry)) this.networks.push(ipaddr.parseCIDR(entry));
      else if (isIP(entry) !== 0) this.networks.push(only(ipaddr.process(entry)));
      else this.hosts.add(entry.toLowerCase());
    }
  }

  /** Whether every address of the host `name` is allowed, whatever it is. */
  allowsHost(name: string): boolean {
    return this.hosts.has(name.toLowerCase());
  }

  /** Whether `address` (IPv4 or IPv6, without brackets) may be connected to. */
  allowsAddress(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    // an IPv4 address inside an IPv6 one is judged as what it is
    const parsed = ipaddr.process(address);
    return isPublic(parsed) || this.networks.some((network) => contains(network, parsed));
  }

  /** Whether `port` may be connected to. */
  allowsPort(port: number): boolean {
    return port > 0 && !BAD_PORTS.has(port);
  }
}

const only = (address: Address): Network => [address, address.kind() === 'ipv4' ? 32 : 128];

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

function contains([network, bits]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
