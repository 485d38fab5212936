#pragma once
#include <sys/types.h>
#include <security/pam_appl.h>
