import { SamlRefusal } from './refusal.js';
import { attributeOf, childrenNamed, childrenOf, isNamed, onlyChild, type XmlElement } from './xml.js';

const EXCLUSIVE = ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'];
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const SIGNATURES = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
];
const DIGESTS = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'];

/** The signature directly in `parent`, or `null`. @throws SamlRefusal when there are several. */
export function signatureIn(parent: XmlElement): XmlElement | null {
  const [signature = null, ...others] = childrenNamed(parent, 'signature', 'Signature');
  if (others.length > 0) throw new SamlRefusal('The response must not be signed twice in one place');
  return signature;
}

/**
 * Checks the form of `signature`: that it is about the element that it stands in, as a whole, and by algorithms that
 * hold. Whether it is right is not asked here. @throws SamlRefusal
 */
export function checkSignatureForm(signature: XmlElement): void {
  const parts = childrenOf(signature);
  if (
    parts.some((part) => !['SignedInfo', 'SignatureValue', 'KeyInfo'].some((name) => isNamed(part, 'signature', name)))
  )
    throw strange();
  if (childrenNamed(signature, 'signature', 'KeyInfo').length > 1) throw strange();
  onlyChild(signature, 'signature', 'SignatureValue');
  const info = onlyChild(signature, 'signature', 'SignedInfo');
  if (childrenOf(info).length !== 3) throw strange();
  allow(onlyChild(info, 'signature', 'CanonicalizationMethod'), EXCLUSIVE);
  allow(onlyChild(info, 'signature', 'SignatureMethod'), SIGNATURES);
  checkReference(onlyChild(info, 'signature', 'Reference'), signature.parentNode as XmlElement);
}

function checkReference(reference: XmlElement, signed: XmlElement): void {
  const id = attributeOf(signed, 'ID');
  if (id === null || id === '' || attributeOf(reference, 'URI') !== `#${id}`) {
    throw new SamlRefusal('A signature of the response is about something else than what it stands in');
  }
  if (childrenOf(reference).length !== 3) throw strange();
  onlyChild(reference, 'signature', 'DigestValue');
  allow(onlyChild(reference, 'signature', 'DigestMethod'), DIGESTS);
  const transforms = childrenOf(onlyChild(reference, 'signature', 'Transforms'));
  const [first, second] = transforms;
  if (transforms.length !== 2 || !first || !second) throw strange();
  allow(first, [ENVELOPED]);
  allow(second, EXCLUSIVE);
}

function allow(element: XmlElement, algorithms: readonly string[]): void {
  const algorithm = attributeOf(element, 'Algorithm') ?? '';
  if (algorithms.includes(algorithm)) return;
  throw new SamlRefusal(`The response is signed by an algorithm that is not accepted here: ${algorithm.slice(0, 100)}`);
}

function strange(): SamlRefusal {
  return new SamlRefusal('A signature of the response has another form than SAML asks for');
}
