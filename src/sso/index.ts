export { SamlProvidersService } from './saml-providers.service.js';
export { SsoModule } from './sso.module.js';
