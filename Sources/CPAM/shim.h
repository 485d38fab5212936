#pragma once
#include <sys/types.h>
/* malloc, calloc, free and explicit_bzero: PAM frees the answers that a conversation hands over. */
#include <stdlib.h>
#include <string.h>
#include <security/pam_appl.h>
