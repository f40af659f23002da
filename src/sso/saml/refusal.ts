/** Why a SAML response is not taken for a sign-in, as a sentence for whoever tries to sign in. */
export class SamlRefusal extends Error {}
