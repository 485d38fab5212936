#pragma once
#include <sys/types.h>
#include <keyutils.h>
