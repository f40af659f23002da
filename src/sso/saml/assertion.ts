import { isEmail, isStorable } from '../../common/validation.js';
import { SamlRefusal } from './refusal.js';
import { checkVersion } from './response.js';
import {
  attributeOf,
  childrenNamed,
  childrenOf,
  isNamed,
  onlyChild,
  parseXml,
  textOf,
  type XmlElement,
} from './xml.js';

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** How far the clocks of identity provider and service may be apart, in ms. */
export const LEEWAY = 60_000;
const MAX_NAME = 64;

/** What an assertion must be made for. */
export interface Expected {
  /** Entity id of the identity provider. */
  issuer: string;
  /** Our entity id. */
  audience: string;
  /** Where responses are to be sent. */
  recipient: string;
  /** The moment, in ms since 1970. */
  now: number;
}

/** Whom an assertion is about. */
export interface SamlIdentity {
  /** E-mail address, in lower case. */
  email: string;
  /** First and last name joined, at most 64 characters; `null` when neither is told. */
  displayName: string | null;
  /** Id of the assertion. */
  assertion: string;
  /** Id of the request that it answers. */
  inResponseTo: string;
}

/**
 * Whom the assertion `xml` is about, which must be what a verified signature covers. Issuer, audience, recipient and times
 * are checked here; whether the request is one of ours is not. @throws SamlRefusal
 */
export function readAssertion(xml: string, expected: Expected): SamlIdentity {
  const assertion = parseXml(xml);
  if (!isNamed(assertion, 'assertion', 'Assertion')) throw new SamlRefusal('What is signed is no assertion');
  checkVersion(assertion);
  checkIssuer(textOf(onlyChild(assertion, 'assertion', 'Issuer')), expected);
  const issued = timeOf(assertion, 'IssueInstant');
  if (issued === null || issued > expected.now + LEEWAY) throw new SamlRefusal('The assertion is dated ahead of time');
  checkConditions(onlyChild(assertion, 'assertion', 'Conditions'), expected);
  checkStatements(assertion, expected);
  const id = attributeOf(assertion, 'ID') ?? '';
  if (id === '') throw new SamlRefusal('The assertion has no id');
  const subject = onlyChild(assertion, 'assertion', 'Subject');
  return {
    email: emailOf(onlyChild(subject, 'assertion', 'NameID')),
    displayName: displayNameOf(assertion),
    assertion: id,
    inResponseTo: confirmed(onlyChild(subject, 'assertion', 'SubjectConfirmation'), expected),
  };
}

/** @throws SamlRefusal when `issuer` is not whom the response must come from. */
export function checkIssuer(issuer: string, expected: Pick<Expected, 'issuer'>): void {
  if (issuer.trim() !== expected.issuer) throw new SamlRefusal('The response was issued by another identity provider');
}

/** Bearer, sent where it belongs, in time; the id of the request that it answers. */
function confirmed(confirmation: XmlElement, { recipient, now }: Expected): string {
  if (attributeOf(confirmation, 'Method') !== BEARER) throw new SamlRefusal('The assertion must be one for bearers');
  const data = onlyChild(confirmation, 'assertion', 'SubjectConfirmationData');
  if (attributeOf(data, 'Recipient') !== recipient) {
    throw new SamlRefusal('The assertion was made for another address than this one');
  }
  if (attributeOf(data, 'NotOnOrAfter') === null) throw new SamlRefusal('The assertion does not say how long it holds');
  checkWindow(data, now);
  const request = attributeOf(data, 'InResponseTo');
  if (request === null) throw new SamlRefusal('The assertion answers no sign-in that began here');
  return request;
}

function checkConditions(conditions: XmlElement, { audience, now }: Expected): void {
  checkWindow(conditions, now);
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  if (childrenOf(conditions).some((child) => !known.some((name) => isNamed(child, 'assertion', name)))) {
    throw new SamlRefusal('The assertion has a condition that is not known here');
  }
  const restrictions = childrenNamed(conditions, 'assertion', 'AudienceRestriction');
  const isMeant = (restriction: XmlElement): boolean =>
    childrenNamed(restriction, 'assertion', 'Audience').some((one) => textOf(one).trim() === audience);
  if (restrictions.length === 0 || !restrictions.every(isMeant)) {
    throw new SamlRefusal('The assertion was made for another service');
  }
}

function checkStatements(assertion: XmlElement, { now }: Expected): void {
  const statements = childrenNamed(assertion, 'assertion', 'AuthnStatement');
  if (statements.length === 0) throw new SamlRefusal('The assertion does not say that anybody signed in');
  for (const statement of statements) {
    const end = timeOf(statement, 'SessionNotOnOrAfter');
    if (end !== null && end <= now - LEEWAY) throw new SamlRefusal('The session at the identity provider has ended');
  }
}

function checkWindow(element: XmlElement, now: number): void {
  const [start, end] = [timeOf(element, 'NotBefore'), timeOf(element, 'NotOnOrAfter')];
  if (start !== null && start > now + LEEWAY) throw new SamlRefusal('The assertion does not hold yet');
  if (end !== null && end <= now - LEEWAY) throw new SamlRefusal('The assertion holds no more; sign in again');
}

/** A time that `element` tells, in ms since 1970; `null` when it does not. */
function timeOf(element: XmlElement, name: string): number | null {
  const text = attributeOf(element, name);
  if (text === null) return null;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new SamlRefusal(`${name} of the response is no time with a time zone`);
  return time;
}

function emailOf(nameId: XmlElement): string {
  if (attributeOf(nameId, 'Format') !== EMAIL_FORMAT) {
    throw new SamlRefusal(`The NameID must be an e-mail address, with the format ${EMAIL_FORMAT}`);
  }
  const given = textOf(nameId);
  const email = given.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // letters of other scripts that become Latin ones in lower case would make one address of two
  if (email !== given.toLowerCase() || email !== email.normalize('NFKC') || !isEmail(email)) {
    throw new SamlRefusal('The NameID must be an e-mail address');
  }
  return email;
}

function displayNameOf(assertion: XmlElement): string | null {
  const attributes = childrenNamed(assertion, 'assertion', 'AttributeStatement').flatMap((statement) =>
    childrenNamed(statement, 'assertion', 'Attribute'),
  );
  const names = ['first_name', 'last_name'].map((name) => {
    const attribute = attributes.find((one) => attributeOf(one, 'Name') === name);
    const [value] = attribute ? childrenNamed(attribute, 'assertion', 'AttributeValue') : [];
    return value ? textOf(value) : '';
  });
  const joined = names
    .join(' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return joined === '' || !isStorable(joined) ? null : Array.from(joined).slice(0, MAX_NAME).join('').trim();
}
