import express, { type NextFunction, type Request, type Response } from 'express';
import { MAX_RESPONSE } from './saml/response.js';

/** Base64 takes a third more, and a form spells some of its characters as three. */
const FORM_LIMIT = MAX_RESPONSE * 2;

const read = express.urlencoded({ extended: false, limit: FORM_LIMIT, parameterLimit: 20 });

/** Reads the form that a browser brings from an identity provider; one without fields is an empty object. */
export function formBody(request: Request, response: Response, next: NextFunction): void {
  read(request, response, (error?: unknown) => {
    request.body ??= {};
    next(error);
  });
}
